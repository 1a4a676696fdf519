import { defineShell } from './shell.ts';

defineShell('authentication');

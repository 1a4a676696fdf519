import { defineShell } from './shell.ts';

defineShell('context');

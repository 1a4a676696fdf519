import { defineShell } from './shell.ts';

defineShell('errors');

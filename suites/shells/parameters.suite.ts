import { defineShell } from './shell.ts';

defineShell('parameters');

import { defineShell } from './shell.ts';

defineShell('observations');

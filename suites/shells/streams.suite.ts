import { defineShell } from './shell.ts';

defineShell('streams');

import { defineShell } from './shell.ts';

defineShell('results');

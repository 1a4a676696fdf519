import { defineShell } from './shell.ts';

defineShell('families');

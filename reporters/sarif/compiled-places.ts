/**
 * Where each requirement of the register stands. In dist/ the build puts a table in place of this module: to read YAML with
 * its lines takes longer than all else of a SARIF file.
 */
export { locate } from './locate.ts';

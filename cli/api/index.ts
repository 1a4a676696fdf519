/// <reference types="node" preserve="true" />
// What `import … from 'inference-gateway-conformance'` gives. It keeps to semantic versioning, as the command does.
export { UsageError } from '../../fixtures/target/errors.ts';
export type { Config } from '../../fixtures/target/target.ts';
export type { Comparison } from '../../reporters/compare/compare.ts';
export type { Verification } from '../../reporters/certificate/verification.ts';
export type { ReportDiff } from '../../reporters/diff/diff.ts';
export type { Report } from '../../suites/types/report.ts';
export { type ExitCode, NotJudgedError } from '../exit.ts';
export { judge, type JudgeResult } from './judge.ts';
export type { JudgeOptions, RunOptions, RunProgress, VerifyOptions } from '../options/run-options.ts';
export { compare, diff, type DiffResult, type ReportSource } from './reports.ts';
export { run, type RunResult } from './run.ts';
export { verify, type VerifyResult } from './verify.ts';

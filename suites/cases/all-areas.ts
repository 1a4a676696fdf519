import { authenticationCases } from './authentication/authentication.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { combinationCases, textSignCases } from './combinations/combinations.ts';
import { contextCases } from './context/context.ts';
import { ownReplyCases } from './own/own-replies.ts';
import { errorCases } from './errors/errors.ts';
import { familyCases, groupBypassCases, refusedSituationCases } from './families/families.ts';
import { modelCases } from './models/models.ts';
import { observationCases } from './observations/observations.ts';
import { parameterCases } from './parameters/parameters.ts';
import { resultCases } from './results/results.ts';
import { streamCases } from './streams/streams.ts';

/** Builds the cases of every area. A function that refers to requests of another stands behind it. */
export const areas: readonly ((builder: CaseBuilder) => void)[] = [
  familyCases,
  parameterCases,
  combinationCases,
  textSignCases,
  refusedSituationCases,
  groupBypassCases,
  authenticationCases,
  streamCases,
  contextCases,
  errorCases,
  observationCases,
  resultCases,
  modelCases,
  ownReplyCases,
];

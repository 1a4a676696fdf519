import type { Case } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { incremental } from './arrival.ts';
import { branch } from './branch.ts';
import { distinct, limited } from './classes.ts';
import type { Dossier } from './dossier.ts';
import { resultFields } from './fields.ts';
import { tokenLimit } from './limit.ts';
import { observe } from './observe.ts';
import { chatCompletion, imageCount, imageUrl, output, unstreamed } from './output.ts';
import { recall } from './recall.ts';
import { conflict, refused } from './refused.ts';
import { untested } from './say.ts';
import { accepted, acceptedSomehow, optional, served } from './served.ts';
import { steady, stillServed } from './steady.ts';
import { stream } from './stream.ts';

/** Judges one case by its check. Pure: the same dossier gives the same judgement. */
export function judgementOf({ check, requirements }: Case, dossier: Dossier): Judgement {
  switch (check.kind) {
    case 'undeclared':
      return { findings: requirements.map((id) => untested(id, check.reason)) };
    case 'served':
      return served(check, dossier);
    case 'accepted':
      return accepted(check, dossier);
    case 'accepted-somehow':
      return acceptedSomehow(check, dossier);
    case 'optional':
      return optional(check, dossier);
    case 'refused':
      return refused(check, dossier);
    case 'conflict':
      return conflict(check, dossier);
    case 'steady':
      return steady(check, dossier);
    case 'still-served':
      return stillServed(check, dossier);
    case 'result-fields':
      return resultFields(check, dossier);
    case 'output':
      return output(check, dossier);
    case 'image-count':
      return imageCount(check, dossier);
    case 'image-url':
      return imageUrl(check, dossier);
    case 'chat-completion':
      return chatCompletion(check, dossier);
    case 'token-limit':
      return tokenLimit(check, dossier);
    case 'unstreamed':
      return unstreamed(check, dossier);
    case 'stream':
      return stream(check, dossier, requirements);
    case 'incremental':
      return incremental(check, dossier);
    case 'recall':
      return recall(check, dossier);
    case 'branch':
      return branch(check, dossier);
    case 'distinct':
      return distinct(check, dossier);
    case 'limited':
      return limited(check, dossier);
    case 'observe':
      return observe(check, dossier);
    default:
      return check satisfies never;
  }
}

import type { Case } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { incremental } from './arrival.ts';
import { branch } from './branch.ts';
import { distinct, limited } from './classes.ts';
import type { EvidenceView } from './evidence-view.ts';
import { resultFields } from './fields.ts';
import { tokenLimit } from './limit.ts';
import { observe } from './observe.ts';
import { chatCompletion, imageCount, imageUrl, output, unstreamed } from './output.ts';
import { recall } from './recall.ts';
import { conflict, refused } from './refused.ts';
import { untested } from './findings.ts';
import { accepted, acceptedSomehow, optional, served } from './served.ts';
import { steady, stillServed } from './steady.ts';
import { stream } from './stream.ts';

/** Judges one case by its check. Pure: the same evidence view gives the same judgement. */
export function judgementOf({ check, requirements }: Case, view: EvidenceView): Judgement {
  switch (check.kind) {
    case 'undeclared':
      return { findings: requirements.map((id) => untested(id, check.reason)) };
    case 'served':
      return served(check, view);
    case 'accepted':
      return accepted(check, view);
    case 'accepted-somehow':
      return acceptedSomehow(check, view);
    case 'optional':
      return optional(check, view);
    case 'refused':
      return refused(check, view);
    case 'conflict':
      return conflict(check, view);
    case 'steady':
      return steady(check, view);
    case 'still-served':
      return stillServed(check, view);
    case 'result-fields':
      return resultFields(check, view);
    case 'output':
      return output(check, view);
    case 'image-count':
      return imageCount(check, view);
    case 'image-url':
      return imageUrl(check, view);
    case 'chat-completion':
      return chatCompletion(check, view);
    case 'token-limit':
      return tokenLimit(check, view);
    case 'unstreamed':
      return unstreamed(check, view);
    case 'stream':
      return stream(check, view, requirements);
    case 'incremental':
      return incremental(check, view);
    case 'recall':
      return recall(check, view);
    case 'branch':
      return branch(check, view);
    case 'distinct':
      return distinct(check, view);
    case 'limited':
      return limited(check, view);
    case 'observe':
      return observe(check, view);
    default:
      return check satisfies never;
  }
}

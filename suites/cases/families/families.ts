import { type MatrixCell, matrix } from '../../../spec/matrix.ts';
import { drawsImages, protocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { cellId } from '../../types/request-ids.ts';
import { cellCase } from './cells.ts';
import { sendCell } from './cell-requests.ts';
import { endpointCases, someGroupCases } from './endpoints.ts';

/** Every family × protocol × group × stream cell (2.2, 4, 4.5, 5 rule 3). */
export function familyCases(builder: CaseBuilder): void {
  const cells = matrix().filter(isWorthItsPrice);
  // The cells go before all else: who streams is known before a stream is asked for elsewhere.
  for (const cell of [...cells].sort(byPreference(builder))) sendCell(builder, cell);
  for (const cell of cells) cellCase(builder, cell);
  for (const protocol of protocols) someGroupCases(builder, protocol);
  for (const protocol of protocols) endpointCases(builder, protocol);
}

/** In the order in which the callers of a protocol are preferred, so that one may stand in for those before it. */
function byPreference(builder: CaseBuilder): (one: MatrixCell, other: MatrixCell) => number {
  const places = new Map(protocols.flatMap(builder.cells).map((id, place) => [id, place]));
  const place = (cell: MatrixCell): number =>
    places.get(cellId(cell, cell.protocol, cell.stream)) ?? places.size;
  return (one, other) => place(one) - place(other);
}

/** What is unspecified is asked only where the answer is worth its price: an image is not cheap. */
function isWorthItsPrice(cell: MatrixCell): boolean {
  if (cell.expectation !== 'unspecified') return true;
  if (!drawsImages(cell.family)) return cell.protocol !== 'images' || cell.group === 'default';
  const drawsInChat = cell.family === 'chat-image' && cell.protocol === 'chat';
  return cell.stream ? drawsInChat && cell.group === 'default' : drawsInChat || cell.group === 'default';
}

import { expect, test } from 'vitest';
import { call } from '../../command.fixture.ts';

test.each([
  ['a request, as a report prints it', 'images.quality.allowed.other', 'images.param.quality.allowed'],
  ['one that was sent again', 'messages.stream.long.1', 'messages.stream.incremental'],
  ['a case', 'results.images.count.1', 'images.result.data.count'],
  ['a cause', 'requirement-broken:chat.context.system', 'chat.context.system'],
])('explain takes the id of %s', async (_, id, requirement) => {
  const { code, stdout } = await call(['explain', id]);
  expect(code).toBe(0);
  expect(stdout).toContain(requirement);
});

import { expect, test } from 'vitest'
import { savedSearchLink } from './searchLink.ts'

const saved = { id: 'i', name: 'n', sourceId: 's' }
const pinned = (...conditions: string[]) => conditions.map((condition) => ({ type: 'sql', condition }))

test('a saved search opens with its condition, columns and pinned filters', () => {
  expect(
    savedSearchLink({
      ...saved,
      where: 'a OR b',
      select: 'Body',
      orderBy: 'Timestamp',
      filters: pinned(
        "ServiceName IN ('x', 'it''s')",
        'Duration BETWEEN 1 AND 2',
        "Attr['k.v'] NOT IN ('y')",
        'f(x) IN (1)',
      ),
    }),
  ).toEqual({
    saved: 'i',
    source: 's',
    q: `(a OR b) AND (ServiceName:"x" OR ServiceName:"it's") AND Duration:[1 TO 2] AND NOT Attr.k.v:"y"`,
    lang: 'lucene',
    cols: 'Body',
    order: 'Timestamp',
  })
  expect(savedSearchLink({ ...saved, where: 'a', whereLanguage: 'sql', filters: pinned('b IN (1)') })).toMatchObject({
    q: 'a AND b IN (1)',
    lang: 'sql',
  })
  expect(savedSearchLink(saved)).toEqual({ saved: 'i', source: 's', q: '', lang: 'lucene' })
})

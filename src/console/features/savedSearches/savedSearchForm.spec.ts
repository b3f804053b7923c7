import { expect, test } from 'vitest'
import type { SavedSearch } from '#contract/stack/savedSearches.ts'
import { emptyForm, readForm, savedSearchForm, writeBody } from './savedSearchForm.ts'

const stored: SavedSearch = {
  id: 'a',
  name: 'Errors',
  sourceId: 's',
  where: 'x',
  whereLanguage: 'lucene',
  teamId: 't',
  unknown: 1,
  filters: [
    { type: 'sql', condition: "a IN ('x')" },
    { type: 'lucene', condition: 'b:y' },
  ],
}

const problems = (filters: string, base: SavedSearch | null = null) =>
  savedSearchForm.schema(base, {} as never).safeParse({ ...emptyForm, name: 'n', sourceId: 's', filters }).error?.issues

test('an edit keeps fields and filters that the form does not show', () => {
  const form = readForm(stored)
  expect(form.filters).toBe("a IN ('x')")
  expect(writeBody({ ...form, name: ' Failures ' }, stored)).toEqual({
    name: 'Failures',
    sourceId: 's',
    where: 'x',
    whereLanguage: 'lucene',
    unknown: 1,
    select: '',
    orderBy: '',
    tags: [],
    filters: stored.filters,
  })
  expect(writeBody({ ...form, filters: 'c IN (1)\n\n d BETWEEN 1 AND 2' }, stored)['filters']).toEqual([
    { type: 'sql', condition: 'c IN (1)' },
    { type: 'sql', condition: 'd BETWEEN 1 AND 2' },
    { type: 'lucene', condition: 'b:y' },
  ])
})

test('the colons of a text are escaped where the condition is new, as other deployments need it', () => {
  const form = { ...readForm(stored), where: 'std::exception' }
  expect(writeBody(form, stored).where).toBe(String.raw`std\:\:exception`)
  expect(writeBody({ ...form, whereLanguage: 'sql' }, stored).where).toBe('std::exception')
  const asStored = { ...stored, where: '12:30:45' }
  expect(writeBody({ ...readForm(asStored), name: 'New' }, asStored).where).toBe('12:30:45')
})

test('only conditions on one column can be pinned, besides those that are stored', () => {
  expect(problems("a IN ('x')\nb NOT IN (1, 2)")).toBeUndefined()
  expect(problems('a = 1')).toMatchObject([{ path: ['filters'], message: expect.stringContaining('a = 1') }])
  expect(problems('a = 1', { ...stored, filters: [{ condition: 'a = 1' }] })).toBeUndefined()
})

test('a new search needs a name and a source', () => {
  const { error } = savedSearchForm.schema(null, {} as never).safeParse(emptyForm)
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['name', 'Required'],
    ['sourceId', 'Required'],
  ])
})

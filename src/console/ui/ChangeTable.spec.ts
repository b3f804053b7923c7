import { expect, test } from 'vitest'
import { changeCount, inSentence } from './ChangeTable.tsx'

test('names keep their capitals inside of a sentence', () => {
  expect(['Replicas', 'CPU per replica', 'MySQL endpoint', 'object_storage'].map(inSentence)).toEqual([
    'replicas',
    'CPU per replica',
    'MySQL endpoint',
    'object_storage',
  ])
})

test('counts changes and names them', () => {
  const change = (title: string) => ({ title, before: 'a', after: 'b' })
  expect(changeCount([])).toBe('No changes')
  expect(changeCount([change('Name')])).toBe('1 change: name')
  expect(changeCount([change('Name'), change('CPU')])).toBe('2 changes: name, CPU')
})

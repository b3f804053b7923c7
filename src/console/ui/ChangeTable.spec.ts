import { expect, test } from 'vitest'
import { changeCount } from './ChangeTable.tsx'

test('counts changes and names them', () => {
  const change = (title: string) => ({ title, before: 'a', after: 'b' })
  expect(changeCount([])).toBe('No changes')
  expect(changeCount([change('Name')])).toBe('1 change: name')
  expect(changeCount([change('Name'), change('CPU')])).toBe('2 changes: name, CPU')
})

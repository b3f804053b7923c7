import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { readForm } from './alertForm.ts'
import { alertFields, type AlertField, type AlertForm } from './formFields.ts'

const read = (more: object = {}) => alertOnTile({ name: 'n', ...more })

test('changes of different fields are merged', () => {
  const [base, theirs] = [read(), read({ threshold: 5 })]
  const mine = { ...readForm(base), name: 'mine' }
  expect(
    theirChanges(alertFields, mine, readForm(base), readForm(theirs)).map(({ field, contested }) => [field, contested]),
  ).toEqual([['threshold', false]])
  expect(rebase(alertFields, mine, readForm(base), readForm(theirs), [])).toMatchObject({ name: 'mine', threshold: 5 })
})

test('changes of the same field are a conflict', () => {
  const [base, theirs] = [read(), read({ name: 'theirs' })]
  const mine = { ...readForm(base), name: 'mine' }
  expect(theirChanges(alertFields, mine, readForm(base), readForm(theirs))[0]).toMatchObject({
    field: 'name',
    contested: true,
  })
  expect(rebase(alertFields, mine, readForm(base), readForm(theirs), []).name).toBe('mine')
  expect(rebase(alertFields, mine, readForm(base), readForm(theirs), ['name']).name).toBe('theirs')
})

test('the same change on both sides is no conflict', () => {
  const [base, theirs] = [read(), read({ name: 'same' })]
  expect(
    theirChanges(alertFields, { ...readForm(base), name: 'same' }, readForm(base), readForm(theirs))[0]?.contested,
  ).toBe(false)
})

test('no change is lost silently', () => {
  const some = fc.uniqueArray(fc.constantFrom<AlertField>('name', 'threshold', 'interval', 'note', 'tileId'))
  const values = (who: string) => ({
    name: who,
    threshold: who.length,
    interval: `${who.length}h`,
    note: who,
    tileId: who,
  })
  const pick = (who: string, fields: AlertField[]): Partial<AlertForm> =>
    Object.fromEntries(Object.entries(values(who)).filter(([field]) => fields.some((other) => other === field)))
  fc.assert(
    fc.property(some, some, some, (mineFields, theirFields, chosen) => {
      const base = read()
      const theirs = read(pick('theirs', theirFields))
      const mine = { ...readForm(base), ...pick('mine', mineFields) }
      const taken = chosen.filter((field) => theirFields.includes(field))
      const merged = rebase(alertFields, mine, readForm(base), readForm(theirs), taken)
      for (const field of alertFields) {
        const touched = mineFields.includes(field) && !taken.includes(field)
        expect(sameValue(merged[field], (touched ? mine : readForm(theirs))[field])).toBe(true)
      }
    }),
  )
})

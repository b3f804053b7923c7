import { expect, test } from 'vitest'
import { namingProfiles, type NamingProfile } from '../../wire/naming.ts'
import { serviceNameRule } from './serviceNames.ts'

const accepts = (naming: NamingProfile, current?: string) => {
  const rule = serviceNameRule(namingProfiles[naming], current)
  return (name: string) => rule.safeParse(name).success
}

test('neutral names have letters, digits and spaces', () => {
  const isValid = accepts('neutral')
  expect(['New service 2', 'x'.repeat(50)].filter(isValid)).toHaveLength(2)
  expect(['', ' ', 'team-a', 'x'.repeat(51)].filter(isValid)).toEqual([])
})

test("names of deployments with the product's own spelling have any characters that show", () => {
  const isValid = accepts('clickhouse')
  expect(['team-a_eu.1 [test]', 'Zürich'].filter(isValid)).toHaveLength(2)
  expect(['', '-', 'two\nlines', 'a\u202Eb', 'x'.repeat(51)].filter(isValid)).toEqual([])
})

test('a service that has another name already can be renamed to one', () => {
  expect(accepts('neutral', 'team-a')('team-b')).toBe(true)
  expect(accepts('neutral', 'Team A')('team-b')).toBe(false)
})

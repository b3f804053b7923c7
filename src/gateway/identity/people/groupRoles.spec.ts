import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAtLeast, roles } from '#contract/console/consoleRoles.ts'
import type { GroupRole } from '#contract/console/people.ts'
import { accessOfPerson } from '../access/access.ts'
import { effectiveRoles } from './groupRoles.ts'

const role = fc.constantFrom(...roles)
const id = fc.constantFrom('one', 'two', 'three', '__proto__', 'constructor')
const byHand = fc.record({ role, roles: fc.dictionary(id, role) })
const fromGroups: fc.Arbitrary<GroupRole[]> = fc.array(
  fc
    .record({
      provider: fc.constant('Test'),
      group: fc.string(),
      role,
      connectionId: fc.option(id, { nil: undefined }),
    })
    .map(({ connectionId, ...rest }) => (connectionId === undefined ? rest : { ...rest, connectionId })),
)

test('on each connection the highest of the role by hand and the roles from groups counts', () => {
  fc.assert(
    fc.property(byHand, fromGroups, id, (hand, groups, connection) => {
      const given = accessOfPerson('p', hand).roleOn(connection)
      const here = groups.filter(({ connectionId }) => connectionId === undefined || connectionId === connection)
      const all = [given, ...here.map(({ role }) => role)]
      const effective = accessOfPerson('p', effectiveRoles(hand, groups)).roleOn(connection)
      expect(all).toContain(effective)
      expect(all.every((other) => isAtLeast(effective, other))).toBe(true)
    }),
  )
})

test('without groups, roles are as they were given', () => {
  fc.assert(
    fc.property(byHand, id, (hand, connection) => {
      const access = accessOfPerson('p', effectiveRoles(hand, []))
      expect(access.roleOn(connection)).toBe(accessOfPerson('p', hand).roleOn(connection))
      expect(access.administers).toBe(hand.role === 'administrator')
    }),
  )
})

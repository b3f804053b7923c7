import { expect, test } from 'vitest'
import { accessOfPerson, accessOfToken, fullAccess, turnTaker } from './access.ts'

const roles = { role: 'viewer', roles: {} } as const

test('a person takes turns with all of their browsers, and a token beside them', () => {
  const [laptop, phone] = ['laptop', 'phone'].map((sessionKey) =>
    turnTaker({ access: accessOfPerson('one', roles), sessionKey }),
  )
  expect(phone).toBe(laptop)
  expect(turnTaker({ access: accessOfPerson('other', roles), sessionKey: 'third' })).not.toBe(laptop)
  const token = accessOfToken('agent', 'one', roles, { role: 'viewer', connections: null })
  expect(turnTaker({ access: token, sessionKey: 'token agent' })).not.toBe(laptop)
})

test('without accounts, each session takes turns on its own', () => {
  const [one, other] = ['one', 'other'].map((sessionKey) => turnTaker({ access: fullAccess, sessionKey }))
  expect(one).not.toBe(other)
})

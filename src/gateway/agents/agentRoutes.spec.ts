import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentName, maxAgentName } from '#contract/console/agents.ts'
import { AgentSessions } from './agentRoutes.ts'

test('names of agents are short and plain, and a session has the name that it began with', () => {
  const sessions = new AgentSessions(Buffer.alloc(32, 1))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), (given, token) => {
      const name = agentName(given)
      expect(name.length).toBeGreaterThan(0)
      expect(name.length).toBeLessThanOrEqual(maxAgentName)
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}(),"<>:;]/u)
      const id = sessions.begin(token, given)
      expect(id).toMatch(/^[\x21-\x7e]+$/)
      expect(sessions.nameOf(token, id)).toBe(name)
      expect(sessions.nameOf(`${token} other`, id)).toBeUndefined()
      expect(
        sessions.nameOf(
          token,
          id.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
        ),
      ).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

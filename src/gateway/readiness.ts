/** Conditions that must hold before a balancer sends requests to this console. */
import type { FastifyInstance } from 'fastify'
import { registerProbes, type ProbeTargets } from '#node/operations/probes.ts'
import { consoleReplacedError } from './cluster/ownWrites.ts'
import type { Presence } from './cluster/presence.ts'
import type { Database } from './database/database.ts'

/** @param more what else this machine runs, such as its stack */
export function registerReadiness(
  app: FastifyInstance,
  { database, presence, more }: { database: Database; presence: Presence; more: ProbeTargets | undefined },
): void {
  registerProbes(app, {
    database: {
      check: () => database.rows('SELECT max(version) AS version FROM migrations'),
      reason: 'The database of the console cannot be read.',
    },
    ...(database.isShared && {
      console: {
        check: async () => {
          if (presence.isReplaced) throw consoleReplacedError()
        },
        reason:
          'Another console has taken the place of this one. Start it again, in the newest version that uses the database.',
      },
    }),
    ...more,
  })
}

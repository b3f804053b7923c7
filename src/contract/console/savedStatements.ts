/** SQL that people keep for everybody who may run SQL on a connection: the API between console and gateway. Deployments have none. */
import { z } from 'zod'
import { givenName } from '../wire/givenNames.ts'
import { pathId } from '../wire/kernel.ts'

export const savedStatementPaths = {
  /** The statements of a connection. */
  statements: '/api/connections/{connectionId}/saved-statements',
  statement: '/api/connections/{connectionId}/saved-statements/{statementId}',
  /** Notes that the statement is run as it is saved. */
  uses: '/api/connections/{connectionId}/saved-statements/{statementId}/uses',
} as const

export const savedStatementLimits = { name: 100, text: 20_000 } as const

export const savedStatementInput = z.strictObject({
  name: givenName(savedStatementLimits.name),
  text: z.string().min(1).max(savedStatementLimits.text),
})
export type SavedStatementInput = z.input<typeof savedStatementInput>

/** The statement is only changed or deleted as it was read. */
export const readVersion = z.object({ version: z.coerce.number().int().min(1) })

export const savedStatementParams = z.object({ connectionId: pathId, statementId: pathId })

export interface SavedStatement {
  id: string
  name: string
  text: string
  /** The name of the person who saved it first. */
  author: string
  createdAt: string
  /** The last person who changed it; absent if nobody did. */
  changedBy?: string
  updatedAt: string
  /** When it was run last as it is saved, within a minute; absent if it never was. */
  usedAt?: string
  /** Counts its changes, from 1. */
  version: number
}

/** Connections as they are stored. */
import { z } from 'zod'
import { connection, type connectionInput } from '#contract/console/connections.ts'
import { initialStage, stages } from '#contract/console/stages.ts'
import type { SealContext } from '#node/secrets/vault.ts'

export const secretFields = ['accessKey', 'keySecret'] as const
export type SecretField = (typeof secretFields)[number]

/** A connection as it was entered. */
export type Entered = z.output<typeof connectionInput>

export const connectionRecord = connection
  .omit({
    secretEnd: true,
    role: true,
    writesRefused: true,
    sqlRefused: true,
    linksRefused: true,
    twoPersonApproval: true,
    breakGlass: true,
    approvalRefused: true,
    breakGlassRefused: true,
  })
  .extend({
    revision: z.string(),
    sealed: z.partialRecord(z.enum(secretFields), z.string()),
    // Records of earlier versions have no stage.
    stage: z.enum(stages).optional().catch(undefined),
  })
  .transform((stored) => ({ ...stored, stage: stored.stage ?? initialStage(stored.baseUrl) }))
export type ConnectionRecord = z.output<typeof connectionRecord>

/** The context that a stored secret is bound to: it cannot be decrypted for another connection, field or address. */
export function secretContext(
  { id, baseUrl }: Pick<ConnectionRecord, 'id' | 'baseUrl'>,
  field: SecretField,
): SealContext {
  return [id, field, baseUrl]
}

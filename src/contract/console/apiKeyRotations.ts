/**
 * The API between console and gateway for the API keys that its connections use: when they expire, and rotations that replace
 * them. Deployments do not have it.
 */
import { z } from 'zod'
import { givenName } from '../wire/givenNames.ts'
import { pathId } from '../wire/kernel.ts'

/** A key that a connection may use: only the end of its ID is known. */
const possibleKey = z.object({
  id: pathId,
  name: z.string(),
  /** Null for never. */
  expireAt: z.string().nullable(),
})

/** The known state of the key of a managed connection. */
const connectionKey = z.object({
  /** Keys of the organization whose ID ends like that of the connection's: usually one, none if it cannot be told. */
  keys: z.array(possibleKey),
  /** Keys of the organization that expire within 14 days, those above included. */
  expiring: z.array(possibleKey),
  /** Why the keys could not be read; absent if they could. */
  problem: z.string().optional(),
})
export type ConnectionKey = z.infer<typeof connectionKey>

/** The steps of a rotation, of its undo, and of its end. */
export const rotationSteps = {
  rotate: ['create', 'switch', 'test', 'disable'],
  undo: ['enable', 'switchBack', 'testBack', 'remove'],
  finish: ['delete'],
} as const
export type RotationPhase = keyof typeof rotationSteps
export type RotationStep = (typeof rotationSteps)[RotationPhase][number]

export const rotationInput = z.object({
  /** The key to replace: the one that the connection uses. */
  apiKeyId: pathId,
  /** The name of the new key. */
  name: givenName(256),
  /** When the new key expires; null for never. */
  expireAt: z.iso.datetime({ offset: true }).nullable(),
  /** Whether the sender knows that another key ends like this one. */
  confirmsAlike: z.boolean().default(false),
})
export type RotationInput = z.input<typeof rotationInput>

/** `interrupted`: the console was stopped meanwhile. */
const rotationStates = ['running', 'interrupted', 'failed', 'done'] as const

const rotatedKey = z.object({
  id: pathId,
  name: z.string(),
  /** The last characters of its key ID. */
  suffix: z.string(),
})

const apiKeyRotation = z.object({
  id: pathId,
  phase: z.enum(['rotate', 'undo', 'finish']),
  state: z.enum(rotationStates),
  /** How many steps of the phase are done. */
  done: z.number(),
  /** Why the next step failed. */
  problem: z.string().optional(),
  oldKey: rotatedKey,
  /** Its ID is absent until it is created. */
  newKey: rotatedKey.extend({ id: pathId.optional(), expireAt: z.string().nullable() }),
  /** Connections of this console that use one of the two keys now. */
  connections: z.array(z.object({ id: pathId, name: z.string(), uses: z.enum(['old', 'new']) })),
  startedAt: z.string(),
  /** Once nothing is left to do: the old key is deleted, or everything was undone. */
  endedAt: z.string().optional(),
  actor: z.string(),
})
export type ApiKeyRotation = z.infer<typeof apiKeyRotation>

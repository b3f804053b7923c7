/** A passkey as it is stored. */
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import { z } from 'zod'

export const transports = [
  'ble',
  'hybrid',
  'internal',
  'nfc',
  'usb',
] as const satisfies readonly AuthenticatorTransport[]

export const passkeyRow = z.object({
  id: z.string(),
  person_id: z.string(),
  name: z.string(),
  credential: z.string(),
  public_key: z.string(),
  counter: z.coerce.number(),
  transports: z.string().transform((text) => z.array(z.enum(transports)).parse(JSON.parse(text))),
  synced: z.coerce.number(),
  created_at: z.string(),
  used_at: z.string().nullable(),
})
export const passkeyColumns =
  'id, person_id, name, credential, public_key, counter, transports, synced, created_at, used_at'

/** Requests about the organization of the stack. */
import { apiURL, credentials } from './environment.ts'
import { expect } from './test.ts'

export interface CreatedKey {
  key: { id: string }
  keyId: string
  keySecret: string
}

/** A request to the management API with the key of `credentials.json`. */
export async function organization<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { organizationId, keyId, keySecret } = credentials()
  const answer = await fetch(`${apiURL}/v1/organizations/${organizationId}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.ok).toBe(true)
  return ((await answer.json()) as { result: T }).result // what the API answers there
}

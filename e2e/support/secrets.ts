/** Every spelling of every key that must never leave the server. */
import { credentials, stacks } from './environment.ts'

/** Keys that tests type into forms: they must not come back either. */
export const typedSecrets = ['typed-access-key-7d1c4a90', 'typed-key-secret-5be2f611']

/** Keys do not change during a run. Read with the first response, when the stacks have written them. */
let spelled: readonly string[] | undefined

export function secretsIn(text: string): string[] {
  spelled ??= spellings()
  return spelled.filter((secret) => text.includes(secret))
}

function spellings(): string[] {
  const keys = stacks
    .map(credentials)
    .flatMap(({ personalAccessKey, ingestionKey, keySecret, keyId }) => [
      personalAccessKey,
      ingestionKey,
      keySecret,
      `${keyId}:${keySecret}`,
    ])
  return [...keys, ...typedSecrets].flatMap((secret) => {
    const base64 = Buffer.from(secret).toString('base64')
    return [...new Set([secret, base64, base64.replace(/=+$/, ''), encodeURIComponent(secret)])]
  })
}

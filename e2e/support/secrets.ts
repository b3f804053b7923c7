/** Every spelling of every key that must never leave the server. */
import { credentials, dataDir, type Credentials, type TestedStack } from './environment.ts'

/** Keys that tests type into forms: they must not come back either. */
export const typedSecrets = ['typed-access-key-7d1c4a90', 'typed-key-secret-5be2f611']

/** Keys do not change while a product runs. By its data folder. */
const spelled = new Map<string, readonly string[]>()

/** The keys of products, and what tests type, in a text. @param products that of the test by default */
export function secretsIn(text: string, products: readonly Pick<TestedStack, 'dataDir'>[] = [{ dataDir }]): string[] {
  return products.flatMap((product) => {
    const known = spelled.get(product.dataDir) ?? spellings(credentials(product))
    spelled.set(product.dataDir, known)
    return known.filter((secret) => text.includes(secret))
  })
}

function spellings({ personalAccessKey, ingestionKey, keySecret, keyId }: Credentials): string[] {
  const keys = [personalAccessKey, ingestionKey, keySecret, `${keyId}:${keySecret}`]
  return [...keys, ...typedSecrets].flatMap((secret) => {
    const base64 = Buffer.from(secret).toString('base64')
    return [...new Set([secret, base64, base64.replace(/=+$/, ''), encodeURIComponent(secret)])]
  })
}

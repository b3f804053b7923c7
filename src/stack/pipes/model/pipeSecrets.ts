/** Separates the credentials of a source from the fields in responses. */
import type { PipeSource } from '#contract/cloud/pipes/pipeSources.ts'
import type { PipeDocument, PipeSecrets } from './pipeDocument.ts'

/** Credentials, and long texts that responses leave out. */
const secretFields = ['credentials', 'accessKey', 'protobufSchema'] as const

/** The source without its secrets, and without empty source types. */
export function splitSecrets(source: Record<string, unknown>): { source: PipeSource; secrets?: PipeSecrets } {
  const secrets: PipeSecrets = {}
  const arms = Object.entries(source).flatMap(([kind, arm]) => {
    if (typeof arm !== 'object' || arm === null) return []
    const shown = Object.entries(arm).filter(([field, value]) => {
      const isSecret = secretFields.some((secret) => secret === field)
      if (isSecret && value !== null) secrets[field] = value
      return !isSecret
    })
    return [[kind, withoutRegistrySecrets(Object.fromEntries(shown), secrets)] as const]
  })
  return { source: Object.fromEntries(arms), ...(Object.keys(secrets).length > 0 && { secrets }) }
}

/** The Protobuf schema of a source that has one: a .proto file or a serialized FileDescriptorSet. */
export function protobufSchemaOf({ internal: { secrets } }: Pick<PipeDocument, 'internal'>): Buffer | null {
  const encoded = secrets?.['protobufSchema']
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : null
}

function withoutRegistrySecrets(arm: Record<string, unknown>, secrets: PipeSecrets): Record<string, unknown> {
  const registry = arm['schemaRegistry']
  if (typeof registry !== 'object' || registry === null || !('credentials' in registry)) return arm
  const { credentials, ...shown } = registry
  secrets['schemaRegistry'] = credentials
  return { ...arm, schemaRegistry: shown }
}

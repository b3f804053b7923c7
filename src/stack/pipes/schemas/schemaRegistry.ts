/** A schema registry with the protocol of Confluent's: schemas by their number. */
import { z } from 'zod'
import type { HostCheck } from '../../net/reachableHosts.ts'
import { guardedAgent } from '../../net/guardedAgent.ts'

interface RegistrySchema {
  type: 'AVRO' | 'PROTOBUF' | 'JSON'
  schema: string
  /** The schemas that it refers to, and those that these refer to: each after those that it needs. */
  references: SchemaReference[]
}

/** A schema that others refer to. */
export interface SchemaReference {
  /** How they call it: an import of Protobuf, or a type of Avro. */
  name: string
  schema: string
}

export interface SchemaRegistry {
  /**
   * @returns null if the registry has no such schema
   * @throws RegistryUnreachable if it does not respond, or refuses the credentials
   */
  schema(id: number): Promise<RegistrySchema | null>
  close(): Promise<void>
}

class RegistryUnreachable extends Error {
  override name = 'RegistryUnreachable'
}

export interface RegistryOptions {
  url: string
  credentials?: { username: string; password: string } | undefined
  caCertificate?: string | undefined
}

const maxBytes = 1024 ** 2
const maxReferences = 200
const totalMs = 20_000

const answered = z.looseObject({
  schema: z.string(),
  schemaType: z.enum(['AVRO', 'PROTOBUF', 'JSON']).default('AVRO'),
  references: z
    .array(z.looseObject({ name: z.string(), subject: z.string(), version: z.union([z.int(), z.string()]) }))
    .nullish(),
})
type Answered = z.infer<typeof answered>

export function schemaRegistry(options: RegistryOptions, checkHost: HostCheck): SchemaRegistry {
  const { url, credentials, caCertificate } = options
  const agent = guardedAgent(checkHost, { caCertificate })
  const base = new URL(url.endsWith('/') ? url : `${url}/`)
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`

  async function get(path: string): Promise<{ status: number; text: string }> {
    const target = new URL(path, base)
    const { statusCode, body } = await agent.request({
      origin: target.origin,
      path: target.pathname,
      method: 'GET',
      headers: {
        accept: 'application/vnd.schemaregistry.v1+json, application/json',
        ...(authorization && { authorization }),
      },
      signal: AbortSignal.timeout(totalMs),
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new Error(`its response is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return { status: statusCode, text: Buffer.concat(chunks).toString() }
  }

  /** @returns null for what the registry does not have */
  async function read(path: string): Promise<Answered | null> {
    const { status, text } = await get(path).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown error'
      throw new RegistryUnreachable(`the schema registry ${base.host} cannot be reached: ${reason}`)
    })
    if (status === 404) return null
    if (status !== 200) throw new RegistryUnreachable(`the schema registry ${base.host} answered ${status}`)
    const parsed = answered.safeParse(readJson(text))
    if (!parsed.success) throw new RegistryUnreachable(`${base.host} does not answer as a schema registry`)
    return parsed.data
  }

  /** Adds what a schema refers to. What the registry does not have is left out: the schema cannot be used without it. */
  async function addReferences({ references }: Answered, found: SchemaReference[], seen: Set<string>): Promise<void> {
    for (const { name, subject, version } of references ?? []) {
      const path = `subjects/${encodeURIComponent(subject)}/versions/${encodeURIComponent(version)}`
      if (seen.has(path) || seen.size >= maxReferences) continue
      seen.add(path)
      const referred = await read(path)
      if (!referred) continue
      await addReferences(referred, found, seen)
      found.push({ name, schema: referred.schema })
    }
  }

  return {
    async schema(id) {
      const found = await read(`schemas/ids/${id}`)
      if (!found) return null
      const references: SchemaReference[] = []
      await addReferences(found, references, new Set())
      return { type: found.schemaType, schema: found.schema, references }
    },
    close: () => agent.close(),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

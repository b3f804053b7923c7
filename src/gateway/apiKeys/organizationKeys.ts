/** Reads and changes the API keys of an organization, with a key that need not be the one that a connection has now. */
import { apiKeys, type ApiKey, type apiKeyInput } from '#contract/cloud/organization/apiKeys.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { organizations } from '#contract/cloud/organization/organizations.ts'
import { failure, ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { WriteCause } from '#node/upstream/operation.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import { credential, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { z } from 'zod'
import type { KeyPair } from '../connections/connectionSecrets.ts'

export class OrganizationKeys {
  readonly #deployments: Deployments
  readonly #target: UpstreamTarget
  readonly #cause: WriteCause

  constructor(deployments: Deployments, target: UpstreamTarget, cause: WriteCause) {
    this.#deployments = deployments
    this.#target = target
    this.#cause = cause
  }

  /** The keys of the organization, read and written with another key. */
  with({ keyId, keySecret }: KeyPair): OrganizationKeys {
    const target = {
      ...this.#target,
      ...credential('managed', { keyId, keySecret }),
      // Another key may see other records.
      revision: `${this.#target.revision} ${keyId}`,
    }
    return new OrganizationKeys(this.#deployments, target, this.#cause)
  }

  async list(): Promise<ApiKey[]> {
    return this.#read(apiKeys.list, {})
  }

  /** Undefined for a key that does not exist. */
  async get(apiKeyId: string): Promise<ApiKey | undefined> {
    return orMissing(this.#read(apiKeys.get, { apiKeyId }))
  }

  /** @returns the ID of the new key */
  async create(body: z.input<typeof apiKeyInput>): Promise<string> {
    const { key } = apiKeys.create.result.parse(await this.#write(apiKeys.create, {}, body))
    return key.id
  }

  async setState(apiKeyId: string, state: 'enabled' | 'disabled'): Promise<void> {
    await this.#write(apiKeys.update, { apiKeyId }, { state })
  }

  /** A key that is gone already is what was wanted. */
  async delete(apiKeyId: string): Promise<void> {
    await orMissing(this.#write(apiKeys.delete, { apiKeyId }))
  }

  /** Whether the deployment accepts the key. @throws every error but a refused key */
  async isAccepted(): Promise<boolean> {
    try {
      await this.#read(organizations.get, {})
      return true
    } catch (error) {
      if (error instanceof ApiFailure && error.error.code === 'keyRejected') return false
      throw error
    }
  }

  async #read<E extends Endpoint>(endpoint: E, params: Record<string, string>): Promise<z.output<E['result']>> {
    const { result } = await this.#deployments.read(this.#target, {
      endpoint,
      params,
      path: upstreamPath(endpoint, this.#target, params),
      priority: 'user',
      fresh: true,
    })
    const parsed = endpoint.result.safeParse(result)
    // The output of the endpoint's own schema.
    if (parsed.success) return parsed.data as z.output<E['result']>
    throw failure('malformedReply', `The deployment’s answer to ${endpoint.resource} cannot be read.`)
  }

  async #write(endpoint: Endpoint, params: Record<string, string>, body?: object): Promise<unknown> {
    const { result } = await this.#deployments.write(this.#target, {
      endpoint,
      params,
      path: upstreamPath(endpoint, this.#target, params),
      priority: 'user',
      cause: this.#cause,
      ...(body && { body: JSON.stringify(body) }),
    })
    return result
  }
}

async function orMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome
  } catch (error) {
    if (error instanceof ApiFailure && error.error.code === 'notFound') return undefined
    throw error
  }
}

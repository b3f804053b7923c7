/** The deployment that the environment names, with the same rate limits and retries as the console. */
import { namingProfileNames, namingProfiles } from '#contract/wire/naming.ts'
import type { Variant } from '#contract/wire/kernel.ts'
import { createEgress } from '#node/upstream/egressGuard.ts'
import { Deployments } from '#node/upstream/deployments.ts'
import { ApiFailure, failureSentence } from '#node/upstream/apiFailure.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import { createRecordPort } from '#node/upstream/recordPort.ts'
import { defaultDeadlines, Upstream } from '#node/upstream/upstream.ts'
import { credential, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { isUnread, type Inventory } from '#domain/records/inventory.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { formatResourceName } from '#contract/wire/naming.ts'
import type { RecordPort } from '#domain/records/run.ts'
import { CliError, problemsError } from './problems.ts'

type Env = Record<string, string | undefined>

export interface Deployment {
  /** Identifies it, without its key. */
  name: string
  target: UpstreamTarget
  port: RecordPort
  /** All records. @throws CliError if a list could not be read: a plan without it would be wrong */
  read(): Promise<Inventory>
  close(): Promise<void>
}

/** @throws CliError that names what is missing or wrong */
export function openDeployment(env: Env): Deployment {
  const target = targetOf(env)
  const egress = createEgress(defaultDeadlines)
  const deployments = new Deployments(new Upstream(egress))
  const port = createRecordPort(deployments, target, {
    send: (operation) => deployments.write(target, operation),
    hold: (_location, task) => task(),
  })
  return {
    name: [target.baseUrl, target.organizationId, target.serviceId].filter(Boolean).join(' '),
    target,
    port,
    read: async () => checked(await readInventory(deployments, target, { priority: 'user' })),
    close: () => egress.close(),
  }
}

function checked(inventory: Inventory): Inventory {
  const lists = { ...inventory.records, dataConnections: inventory.dataConnections ?? [] }
  const problems = ([...recordKinds, 'dataConnections'] as const).flatMap((kind) => {
    const list = lists[kind]
    return isUnread(list) && list.state === 'failed'
      ? [`Cannot read the ${formatResourceName(kind)}: ${list.reason}`]
      : []
  })
  if (problems.length > 0) throw problemsError([...new Set(problems)])
  return inventory
}

function targetOf(env: Env): UpstreamTarget {
  const { STACK_URL: url = '', STACK_API_KEY: accessKey, STACK_NAMING: naming = 'neutral' } = env
  const { STACK_ORGANIZATION_ID: organizationId, STACK_SERVICE_ID: serviceId } = env
  const { STACK_KEY_ID: keyId, STACK_KEY_SECRET: keySecret } = env
  const managed = {
    STACK_ORGANIZATION_ID: organizationId,
    STACK_SERVICE_ID: serviceId,
    STACK_KEY_ID: keyId,
    STACK_KEY_SECRET: keySecret,
  }
  const isManaged = Object.values(managed).some((value) => value !== undefined)
  const profile = namingProfileNames.find((name) => name === naming)
  const problems = [
    ...(URL.canParse(url) && /^https?:/.test(url)
      ? []
      : ['STACK_URL must be the address of the deployment, such as http://127.0.0.1:8000']),
    ...(isManaged
      ? Object.entries(managed).flatMap(([name, value]) =>
          value ? [] : [`${name} is missing. The managed variant needs all of ${Object.keys(managed).join(', ')}.`],
        )
      : accessKey
        ? []
        : [
            'STACK_API_KEY is missing: the key of the open-source variant. The managed variant needs STACK_ORGANIZATION_ID, STACK_SERVICE_ID, STACK_KEY_ID and STACK_KEY_SECRET instead.',
          ]),
    ...(profile ? [] : [`STACK_NAMING must be one of ${namingProfileNames.join(', ')}`]),
  ]
  if (problems.length > 0 || !profile) throw problemsError(problems)
  const variant: Variant = isManaged ? 'managed' : 'openSource'
  return {
    connectionId: 'cli',
    revision: '',
    variant,
    baseUrl: url.replace(/\/$/, ''),
    organizationId,
    serviceId,
    names: namingProfiles[profile],
    readOnly: false,
    // The user of the command may reach everything that this machine reaches.
    allowPrivate: true,
    ...credential(variant, { accessKey, keyId, keySecret }),
  }
}

/** An error in a sentence for people. */
export function explain(error: unknown): string {
  if (error instanceof CliError) return error.message
  if (error instanceof ApiFailure) return failureSentence(error)
  return error instanceof Error ? error.message : String(error)
}

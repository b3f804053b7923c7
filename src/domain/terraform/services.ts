/** Services of the cloud control plane. The provider reads memory and replicas of production services only. */
import { isNumber, type JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { itemsOf } from '../records/directory.ts'
import type { Description, Scope } from './description.ts'
import { Expression, type Attribute, type Block, type HclValue } from './hcl.ts'

/** The provider's names of tiers. Organizations with the present plans have none. */
const tiers: readonly string[] = ['', 'production', 'development']

export const describeService: Description = (record, scope) => {
  const tier = text(record['tier'])
  const refusal = refusalOf(record, tier)
  if (refusal !== null) {
    scope.note(`Left out: ${refusal}`)
    return null
  }
  scope.note(
    'Backups, query endpoint and private endpoints are not written: add a query endpoint, which the provider would remove.',
  )
  const entries: [name: string, value: HclValue | undefined][] = [
    ['name', text(record['name'])],
    ['cloud_provider', text(record['provider'])],
    ['region', text(record['region'])],
    ['tier', tier === '' ? undefined : tier],
    ['release_channel', textOf(record['releaseChannel'])],
    ...(tier === 'development' ? [] : scalingOf(record)),
    ...idlingOf(record),
    ['ip_access', itemsOf(record, 'ipAccessList').map(accessOf)],
    ['endpoints', hasMysql(record) ? { mysql: { enabled: true } } : undefined],
    ['byoc_id', typeof record['byocId'] === 'string' ? record['byocId'] : undefined],
    ...warehouseOf(record),
    // The console does not show it.
    ['encryption_key', text(record['encryptionKey']) === '' ? undefined : scope.secret('encryption_key', 'The key')],
    ['encryption_assumed_role_identifier', textOf(record['encryptionAssumedRoleIdentifier'])],
    ['transparent_data_encryption', record['hasTransparentDataEncryption'] === true ? { enabled: true } : undefined],
    ['compliance_type', textOf(record['complianceType'])],
    ['enable_core_dumps', valueOf(record['enableCoreDumps'])],
    ['tags', tagsOf(record)],
  ]
  const attributes = entries.flatMap(([name, value]): Attribute[] => (value === undefined ? [] : [[name, value]]))
  return record['isPrimary'] === false ? attributes : [...attributes, ...passwordOf(scope)]
}

/** Why the provider refuses a service. */
function refusalOf({ releaseChannel }: JsonObject, tier: string): string | null {
  if (!tiers.includes(tier)) return `the provider does not have the tier ${tier}.`
  if (tier === 'development' && text(releaseChannel) !== 'default') {
    return 'the provider only has the default release channel for development services.'
  }
  return null
}

function scalingOf(record: JsonObject): [string, HclValue | undefined][] {
  const isHorizontal = record['autoscalingMode'] === 'horizontal'
  return [
    ['autoscaling_mode', textOf(record['autoscalingMode'])],
    ['min_replica_memory_gb', valueOf(record['minReplicaMemoryGb'])],
    ['max_replica_memory_gb', valueOf(record['maxReplicaMemoryGb'])],
    ['num_replicas', isHorizontal ? undefined : valueOf(record['numReplicas'])],
    ['min_replicas', isHorizontal ? valueOf(record['minReplicas']) : undefined],
    ['max_replicas', isHorizontal ? valueOf(record['maxReplicas']) : undefined],
  ]
}

/** The provider refuses a timeout of a service that never idles. */
function idlingOf({ idleScaling, idleTimeoutMinutes }: JsonObject): [string, HclValue | undefined][] {
  return [
    ['idle_scaling', valueOf(idleScaling)],
    ['idle_timeout_minutes', idleScaling === true ? valueOf(idleTimeoutMinutes) : undefined],
  ]
}

/** Only of a service that uses the warehouse of another one: the provider refuses it together with backups. */
function warehouseOf({ isPrimary, dataWarehouseId, isReadonly }: JsonObject): [string, HclValue | undefined][] {
  if (isPrimary !== false) return []
  return [
    ['warehouse_id', textOf(dataWarehouseId)],
    ['readonly', isReadonly === true ? true : undefined],
  ]
}

/** The provider requires a password, and would set it at once if a change of its version were not ignored. */
function passwordOf(scope: Scope): Block['attributes'] {
  const ignored: Attribute = ['ignore_changes', [new Expression('password_wo_version')]]
  return [
    ['password_wo', scope.secret('password', 'The password for a replacement')],
    ['password_wo_version', 1],
    { type: 'lifecycle', labels: [], attributes: [ignored] },
  ]
}

const accessOf = ({ source, description }: JsonObject): HclValue => ({
  source: text(source),
  description: text(description),
})

const hasMysql = (record: JsonObject) => itemsOf(record, 'endpoints').some(({ protocol }) => protocol === 'mysql')

function tagsOf(record: JsonObject): HclValue | undefined {
  const tags = itemsOf(record, 'tags').filter(isPlainObject)
  return tags.length === 0 ? undefined : Object.fromEntries(tags.map(({ key, value }) => [text(key), text(value)]))
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const textOf = (value: unknown) => (text(value) === '' ? undefined : text(value))
const valueOf = (value: unknown) => (typeof value === 'boolean' || isNumber(value) ? value : undefined)

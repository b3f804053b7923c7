/** The provider's names where they differ from this product's. They are in no other file. */
import type { Variant } from '#contract/wire/kernel.ts'
import type { ExportedKind } from './exportedKinds.ts'
import { Expression, valueText, type Block } from './hcl.ts'

const localName = 'clickhouse'

export const resourceTypes: Record<ExportedKind, string> = {
  services: `${localName}_service`,
  sources: `${localName}_clickstack_source`,
  webhooks: `${localName}_clickstack_webhook`,
  savedSearches: `${localName}_clickstack_saved_search`,
  dashboards: `${localName}_clickstack_dashboard`,
  alerts: `${localName}_clickstack_alert`,
}

/** The oldest versions of the provider that have what is written. */
export const providerVersions = { records: '3.25.3', tileAlerts: '3.28.0' } as const

/** The variables of the environment that the provider reads its address and key from. */
const environment: Record<Variant, readonly string[]> = {
  openSource: ['CLICKSTACK_ENDPOINT', 'CLICKSTACK_API_KEY'],
  managed: ['CLICKHOUSE_ORG_ID', 'CLICKHOUSE_CLOUD_API_KEY', 'CLICKHOUSE_CLOUD_API_SECRET', 'CLICKSTACK_SERVICE_ID'],
}

/** Where the provider finds the deployment. */
export function environmentText(variant: Variant): string {
  return `The address and the key of the deployment are read from the environment: ${environment[variant].join(', ')}.`
}

/** The blocks of a folder that has none yet. */
export function providerBlocks(version: string): Block[] {
  const required = { source: 'ClickHouse/clickhouse', version: `>= ${version}` }
  return [
    {
      type: 'terraform',
      labels: [],
      attributes: [
        // Since then, there are attributes that are only written, such as passwords.
        ['required_version', '>= 1.11'],
        { type: 'required_providers', labels: [], attributes: [[localName, required]] },
      ],
    },
    { type: 'provider', labels: [localName], attributes: [] },
  ]
}

/** The id of an exported record. */
export function idReference(address: string): Expression {
  return new Expression(`${address}.id`)
}

/** The id of a tile by its name, which must be the only one of its dashboard. */
export function tileIdReference(address: string, name: string): Expression {
  return new Expression(`${address}.tile_ids[${valueText(name)}]`)
}

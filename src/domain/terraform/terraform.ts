/**
 * Records as configuration of the vendor's Terraform provider, with an `import` block for each, so that the first plan
 * imports them and changes nothing. References among these records are references in the configuration.
 */
import type { Variant } from '#contract/wire/kernel.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import type { JsonObject } from '../json/json.ts'
import { idOf, nameOf } from '../records/directory.ts'
import { describeAlert } from './alerts.ts'
import { describeDashboard } from './dashboards.ts'
import type { Descriptions, Scope } from './description.ts'
import { exportedKinds, type ExportedKind, type ExportedRecord, type ExportedRecords } from './exportedKinds.ts'
import { blockText, commentText, Expression, type Block } from './hcl.ts'
import { environmentText, providerBlocks, providerVersions, resourceTypes } from './provider.ts'
import { References, resourceKey } from './references.ts'
import { describeSavedSearch } from './savedSearches.ts'
import { describeService } from './services.ts'
import { describeSource } from './sources.ts'
import { describeWebhook } from './webhooks.ts'

export interface TerraformOptions {
  variant: Variant
  /** With the blocks of a folder that has none yet: `terraform` and `provider`. */
  provider?: boolean
}

export interface TerraformExport {
  hcl: string
  /** Values that the provider cannot hold, one sentence each. They are comments in `hcl` too. */
  notes: string[]
}

const descriptions: Descriptions = {
  services: describeService,
  sources: describeSource,
  webhooks: describeWebhook,
  savedSearches: describeSavedSearch,
  dashboards: describeDashboard,
  alerts: describeAlert,
}

/** One record, several, or a whole connection. The order of the records does not matter. */
export function terraformOf(exported: readonly ExportedRecord[], options: TerraformOptions): TerraformExport {
  const records = grouped(exported)
  const references = new References(records)
  const parts = exportedKinds.flatMap((kind) => records[kind].map((record) => new Part(kind, record, references)))
  const version = parts.some((part) => part.version === providerVersions.tileAlerts)
    ? providerVersions.tileAlerts
    : providerVersions.records
  const head = options.provider
    ? [commentText(environmentText(options.variant)), ...providerBlocks(version).map(blockText)]
    : [commentText(`Requires version ${version} of the provider, or a later one.`)]
  const texts = [head.join('\n\n'), ...parts.map((part) => part.text())]
  return {
    hcl: `${texts.join('\n\n')}\n`,
    notes: parts.flatMap((part) => part.notes.map((note) => `${part.title}: ${note}`)),
  }
}

/** Groups records by kind, each once, in the order of their IDs. */
function grouped(exported: readonly ExportedRecord[]): ExportedRecords {
  const of = (kind: ExportedKind) => {
    const records = exported.flatMap((exportedRecord) =>
      exportedRecord.kind === kind && idOf(exportedRecord.record) !== '' ? [exportedRecord.record] : [],
    )
    const byId = new Map(records.map((record) => [idOf(record), record]))
    return [...byId.values()].toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  }
  return {
    services: of('services'),
    sources: of('sources'),
    webhooks: of('webhooks'),
    savedSearches: of('savedSearches'),
    dashboards: of('dashboards'),
    alerts: of('alerts'),
  }
}

/** The configuration of one record. */
class Part implements Scope {
  readonly notes: string[] = []
  readonly title: string
  version: string = providerVersions.records
  readonly #variables: Block[] = []
  readonly #blocks: Block[]
  readonly #kind: ExportedKind
  readonly #record: JsonObject
  readonly #references: References

  constructor(kind: ExportedKind, record: JsonObject, references: References) {
    this.#kind = kind
    this.#record = record
    this.#references = references
    this.title = `${formatRecordName(kind)} ${JSON.stringify(nameOf(record))}`
    const attributes = descriptions[kind](record, this)
    const address = this.#address()
    this.#blocks =
      attributes === null
        ? []
        : [
            {
              type: 'import',
              labels: [],
              attributes: [
                ['to', new Expression(address)],
                ['id', idOf(record)],
              ],
            },
            { type: 'resource', labels: [resourceTypes[kind], this.#name()], attributes },
          ]
  }

  text(): string {
    const comments = [this.title, ...this.notes].map(commentText)
    const [first, ...others] = [...this.#variables, ...this.#blocks].map(blockText)
    return [[...comments, ...(first ? [first] : [])].join('\n'), ...others].join('\n\n')
  }

  idOf: Scope['idOf'] = (kind, id) => this.#references.to(kind, id, resourceKey(this.#kind, idOf(this.#record)))

  tileIdOf: Scope['tileIdOf'] = (dashboardId, tileId) => this.#references.toTile(dashboardId, tileId)

  secret(attribute: string, description: string): Expression {
    const name = `${formatRecordName(this.#kind).replace(' ', '_')}_${this.#name()}_${attribute}`
    this.#variables.push({
      type: 'variable',
      labels: [name],
      attributes: [
        ['description', `${description} of the ${this.title}.`],
        ['type', new Expression('string')],
        ['sensitive', true],
      ],
    })
    return new Expression(`var.${name}`)
  }

  note(sentence: string): void {
    this.notes.push(sentence)
  }

  needs(version: string): void {
    this.version = version
  }

  #name(): string {
    return this.#references.name(this.#kind, idOf(this.#record))
  }

  #address(): string {
    return this.#references.address(this.#kind, idOf(this.#record))
  }
}

import type { Connection } from '#contract/connections.ts'
import type { RecordKind } from '#domain/records/kinds.ts'

/** A record as Terraform configuration. What writes it is loaded when it is asked for. */
export async function terraformText(kind: RecordKind, record: object, { variant }: Connection): Promise<string> {
  const { terraformOf } = await import('#domain/terraform/terraform.ts')
  return terraformOf([{ kind, record: { ...record } }], { variant }).hcl
}

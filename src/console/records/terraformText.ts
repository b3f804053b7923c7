import type { Connection } from '#contract/console/connections.ts'
import type { ExportedKind } from '#domain/terraform/exportedKinds.ts'

/** A record as Terraform configuration. What writes it is loaded when it is asked for. */
export async function terraformText(kind: ExportedKind, record: object, { variant }: Connection): Promise<string> {
  const { terraformOf } = await import('#domain/terraform/terraform.ts')
  return terraformOf([{ kind, record: { ...record } }], { variant }).hcl
}

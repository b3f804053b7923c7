/** Terraform and the vendor's provider, where a machine has them: the folder of its program is in `TERRAFORM_PROVIDER_DIR`. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const providerDir = process.env['TERRAFORM_PROVIDER_DIR'] ?? ''
const run = promisify(execFile)

export function terraformIsThere(): boolean {
  return existsSync(providerDir) && spawnSync('terraform', ['version']).status === 0
}

/** Terraform in a folder of its own. */
export class TerraformFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'terraform-'))
  readonly #environment: Readonly<Record<string, string>>

  /** @param environment where the provider finds the deployment */
  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment
    const overrides = `provider_installation {\n  dev_overrides {\n    "ClickHouse/clickhouse" = ${JSON.stringify(providerDir)}\n  }\n}\n`
    writeFileSync(join(this.#folder, 'terraform.rc'), overrides)
  }

  /** The plan of a configuration. */
  async plan(hcl: string, variables: Readonly<Record<string, string>>): Promise<string> {
    writeFileSync(join(this.#folder, 'main.tf'), hcl)
    writeFileSync(join(this.#folder, 'terraform.tfvars.json'), JSON.stringify(variables))
    return this.#run('plan', '-no-color')
  }

  /** The differences to the layout of `terraform fmt`; empty if there are none. */
  layout(): Promise<string> {
    return this.#run('fmt', '-diff', '-check')
  }

  /** Whether the provider has an attribute. */
  async has(resource: string, attribute: string): Promise<boolean> {
    writeFileSync(
      join(this.#folder, 'main.tf'),
      `resource "${resource}" "any" {}\nterraform {\n  required_providers {\n    clickhouse = {\n      source = "ClickHouse/clickhouse"\n    }\n  }\n}\n`,
    )
    const { stdout } = await this.#command('providers', 'schema', '-json')
    const { provider_schemas: schemas } = JSON.parse(stdout) as Schemas // documented by Terraform
    return Object.values(schemas).some(
      (schema) => attribute in (schema.resource_schemas[resource]?.block.attributes ?? {}),
    )
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #run(...parameters: string[]): Promise<string> {
    try {
      return (await this.#command(...parameters)).stdout
    } catch (error) {
      // Its output says why.
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      return stdout + stderr
    }
  }

  #command(...parameters: string[]) {
    const env = { ...process.env, ...this.#environment, TF_CLI_CONFIG_FILE: join(this.#folder, 'terraform.rc') }
    return run('terraform', parameters, { cwd: this.#folder, env, maxBuffer: 64 * 1024 * 1024 })
  }
}

interface Schemas {
  provider_schemas: Record<string, { resource_schemas: Record<string, { block: { attributes: object } }> }>
}

/** `npm pack`: builds the page and the servers into the package, which runs without their sources. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPage } from './build.ts'
import { bundle, packagedFolder, servers } from './bundle.js'

const root = join(import.meta.dirname, '../..')
const target = packagedFolder(root)

await buildPage(root, (line) => process.stderr.write(`${line}\n`))
rmSync(target, { recursive: true, force: true })
// They are installed beside it, as its dependencies: each with its licence, and in the versions that a person chooses.
await bundle(root, servers, target, { withPackages: false })

#!/usr/bin/env node
// @ts-check
/** The program `stack-console`: runs the console or a command from a bundle of the present sources. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServers } from './server/bundle.js'

/** Commands for the machine of a console. All others are for deployments: see `cli/commandLine.ts`. */
const programs = new Map([
  ['start', 'server'],
  ['make-admin', 'makeAdmin'],
  ['make-admin-key', 'makeAdminKey'],
  ['move-database', 'moveDatabase'],
  ['rotate-key', 'rotateKey'],
  ['sample-remove', 'removeSample'],
  ['verify-audit', 'verifyAudit'],
])

const root = resolve(import.meta.dirname, '..')
const folder = await bundleServers(root, (line) => process.stderr.write(`${line}\n`))
const program = programs.get(process.argv[2] ?? '')
// The programs read their own arguments, as when npm runs them.
if (program) process.argv.splice(2, 1)
await import(pathToFileURL(join(folder, `${program ?? 'cli'}.js`)).href)

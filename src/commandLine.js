#!/usr/bin/env node
// @ts-check
/** The program `stack-console`: runs the console or a command from a bundle of the present sources. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServers } from './server/bundle.js'

/** Commands for the machine of a console. All others are for deployments: see `cli/commandLine.ts`. */
const programs = new Map([
  ['start', 'server'],
  ['rotate-key', 'rotateKey'],
  ['sample-remove', 'removeSample'],
])

const root = resolve(import.meta.dirname, '..')
const folder = await bundleServers(root, (line) => process.stderr.write(`${line}\n`))
const program = programs.get(process.argv[2] ?? '') ?? 'cli'
await import(pathToFileURL(join(folder, `${program}.js`)).href)

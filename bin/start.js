const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

// A clone has the sources, which Node runs as they are. Under node_modules it refuses TypeScript, so
// a package has `dist` instead, and no sources.
const source = join(__dirname, '../src/main.ts')
import(pathToFileURL(existsSync(source) ? source : join(__dirname, '../dist/main.js')).href)

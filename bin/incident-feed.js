#!/usr/bin/env node
// Every Node can read this file: whoever has an old one gets a sentence, not a SyntaxError.
var LEAST_NODE = 24
var version = process.versions.node
var needed = `incident-feed: Node ${LEAST_NODE} or later is needed, and ${process.execPath} is Node ${version}.`

if (Number(version.split('.')[0]) < LEAST_NODE) {
  console.error(`${needed} Install a newer one from https://nodejs.org or with your package manager.`)
  process.exit(1)
}

require('./start.js')

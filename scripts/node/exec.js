#!/usr/bin/env node
// `npm start` begins with the shell's `exec`, which Windows lacks: there npm finds this file.
const { spawn } = require('node:child_process')

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: 'inherit' })
child.on('error', (error) => {
  console.error(`exec: ${error.message}`)
  process.exit(127)
})
child.on('exit', (code) => process.exit(code ?? 1))

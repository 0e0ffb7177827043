export default { input: './openapi.json', output: { path: './generated/hey-api', module: { extension: '.ts' } } }

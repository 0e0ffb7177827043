/**
 * fast-check with the same examples in every run, so that a change is judged by what it changed:
 * with random ones a defect of long ago fails whoever comes by. `npm run test:all` takes new ones.
 */
import fc from 'fast-check'

const SEED = 2026

if (process.env.TEST_TIER !== 'all') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })

export default fc

// Written by `npm run generate:client` from src/api/contract: change the contract instead.
export {};
//# sourceMappingURL=types.js.map
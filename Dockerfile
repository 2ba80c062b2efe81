# The mock server and every other command, as an image. `--target full` adds what is optional: PostgreSQL, Redis, PDFs, exports.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY tooling tooling
COPY machines machines
COPY src src
COPY console console
COPY docs/schemas docs/schemas
RUN npm run build

FROM ${NODE_IMAGE} AS needed
WORKDIR /opt/nudgelab
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --omit=peer --ignore-scripts --no-audit --no-fund

FROM needed AS everything
RUN optional="$(node --print "const { devDependencies, peerDependencies } = require('./package.json'); Object.keys(peerDependencies).filter((name) => !/playwright|chromium|vitest/.test(name)).map((name) => name + '@' + devDependencies[name]).join(' ')")" \
  && npm pkg delete devDependencies peerDependencies peerDependenciesMeta scripts \
  && npm install --no-save --no-package-lock --ignore-scripts --no-audit --no-fund $optional

FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production
COPY scenarios /opt/nudgelab/scenarios
COPY fixtures /opt/nudgelab/fixtures
COPY --from=build /build/dist /opt/nudgelab/dist
COPY --from=build /build/tooling/image-health.ts /opt/nudgelab/image-health.ts
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
EXPOSE 4700
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "/opt/nudgelab/image-health.ts"]
ENTRYPOINT ["node", "/opt/nudgelab/dist/src/cli/main.js"]
CMD ["serve", "--host", "0.0.0.0"]

FROM base AS full
COPY --from=everything /opt/nudgelab/package.json /opt/nudgelab/package.json
COPY --from=everything /opt/nudgelab/node_modules /opt/nudgelab/node_modules

FROM base AS slim
COPY --from=needed /opt/nudgelab/package.json /opt/nudgelab/package.json
COPY --from=needed /opt/nudgelab/node_modules /opt/nudgelab/node_modules

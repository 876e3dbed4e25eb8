# One image for the API, the loader and the operator's commands.

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install script: the one that brings a Node.js to older machines has no use here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node node_modules/node-bin-* node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src src
COPY dashboard dashboard
RUN node --disable-warning=ExperimentalWarning --input-type=module \
    --eval "import { ensureDashboard } from './src/dashboard-build.ts'; await ensureDashboard()"

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY index-templates index-templates
COPY demo demo
COPY src src
COPY --from=dashboard /app/dashboard/dist dashboard/dist
# The only place that is written to: archive, caches, downloads. Everything else may be mounted read-only.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/cli.ts"]
CMD ["serve"]

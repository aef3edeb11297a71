# SPDX-License-Identifier: MIT
# Components of SPIRV-Cross find each other only in this order.
